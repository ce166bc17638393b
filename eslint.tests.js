/** What the lint denies in tests. */
const clock = 'until() of test/until.ts, counts, a clock that the test gives; for claims test/dates.ts';
const noClock = [
  'MemberExpression[object.name="Date"]:matches([property.name="now"], [property.value="now"])',
  'MemberExpression[object.property.name="Date"]',
  'VariableDeclarator[init.name="Date"]',
  ':matches(NewExpression, CallExpression)[callee.name="Date"][arguments.length=0]',
  'Identifier[name=/^(performance|hrtime|cpuUsage|uptime|setTimeout)$/]',
  'ImportDeclaration[source.value=/timers.promises$/] > :matches(ImportDefaultSpecifier, ImportNamespaceSpecifier)',
  'ImportDeclaration[source.value=/timers.promises$/] > ImportSpecifier[imported.name!="setImmediate"]',
  'MemberExpression[object.name="Atomics"][property.name=/^wait/]',
  'MemberExpression[object.name="AbortSignal"][property.name="timeout"]',
  'ImportDeclaration[source.value=/perf_hooks$/]',
].map((selector) => ({
  selector,
  message: `A test looks at no clock and sleeps for no fixed time: take ${clock}.`,
}));

/** A test: its own call, or that of a table of them. */
const testCall =
  'CallExpression:matches([callee.name=/^(it|test|(before|after)(All|Each))$/], [callee.callee.property.name="each"])';
const allTestsAlike = [
  ['CallExpression[callee.name="until"][arguments.length>2]', 'How long it waits until says for all'],
  [`${testCall} > Literal.arguments[raw=/^\\d/]`, 'How long a test may take, scripts/lanes.mjs says'],
  [
    'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|skip|todo|failing)$/]',
    'Every test runs: what needs more than every machine has is for test/unless.ts',
  ],
  ['CallExpression[callee.name=/^(fit|fdescribe|xit|xtest|xdescribe)$/]', 'Every test runs'],
  ['MemberExpression[object.name="jest"][property.name="retryTimes"]', 'What is unstable is shown'],
].map(([selector, message]) => ({ selector, message: `${message}.` }));

const assertion = 'CallExpression[callee.object.name="fc"][callee.property.name="assert"]';
const spreadsMany = ':has(SpreadElement CallExpression[callee.name="many"])';
const runsOfLaws = [
  `${assertion}[arguments.length=1]`,
  `${assertion} > ObjectExpression:not(${spreadsMany})`,
  `${assertion} > ObjectExpression > Property[key.name=/^(numRuns|seed)$/]`,
].map((selector) => ({
  selector,
  message: 'How often a law is tried, and by which seed, many() of test/soak.ts says.',
}));

/** For the lint's no-restricted-syntax. */
export const ofTests = [...noClock, ...allTestsAlike, ...runsOfLaws];

/** For its no-restricted-imports. */
export const pauses = {
  patterns: [{ group: ['**/pause.js'], message: `A test sleeps for no fixed time: take ${clock}.` }],
};
