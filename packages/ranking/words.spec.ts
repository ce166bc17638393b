import { indexWordsOf, joinedWordsOf, stem, wordsOf } from './words.js';
import { slipsBetween, likelySpellings } from './prompt.js';

describe('the words of a text', () => {
  it.each([
    ['getCustomerAccounts', ['custom', 'account']],
    ['HTTPServer_error-log', ['http', 'serv', 'error', 'log']],
    ['/v1/accounts/{accountNo}@get', ['v1', 'account', 'account', 'no']],
    ['Could you please show me my Überweisungen?', ['show', 'uberweisungen']],
    ['查询订单', ['查询', '询订', '订单']],
    ['查询order状态', ['查询', 'order', '状态']],
    ['帮我查Bitcoin价格', ['帮我', '我查', 'bitcoin', '价格']],
    ['API를 2024年のデータ', ['api', '를', '2024', '年の', 'のデ', 'デー', 'ータ']],
    ['Найди счета', ['наиди', 'счета']],
    ['APIs, PDFs and userIDs', ['api', 'pdf', 'user', 'id']],
    ['listAPIsOfHost PDFAsImage', ['list', 'api', 'host', 'pdf', 'imag']],
    ['ISS and DNSserver', ['iss', 'dn', 'sserv']],
    ['', []],
    ['the of and', []],
  ])('%s', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('holds each ideograph by itself where it is to be found, once', () => {
    expect(indexWordsOf('税金 pays 税')).toEqual(['税金', 'pay', '税', '金']);
  });

  it.each([
    ['GitLab', ['gitlab']],
    ['Runs GitHubActions of PostgreSQL', ['github', 'hubact', 'githubact', 'postgresql']],
    ['listGitLabProjects', ['listgit', 'gitlab', 'labproject', 'listgitlabproject']],
    ['OAuth2 over IPv6, SQLite', ['oauth2', 'ipv6', 'sqlit']],
    ['S3Bucket 3DModel H2O', ['s3bucket', '3d', 'dmodel', '3dmodel', 'h2o']],
    ['APIs and PDFs of userIDs', ['apis', 'pdf', 'userid', 'ids']],
    ['ÖBBTicket Mu\u0308llerBank', ['obbticket', 'mullerbank']],
    ['snake_case, HTTP, Capitals and eBay', ['ebai']],
    ['ÜberWeisung 查询ORDER', ['uberweisung']],
    ['', []],
  ])('joins what is split where the case changes: %s', (text, words) => {
    expect(joinedWordsOf(text)).toEqual(words);
  });

  it('has no word for a key or a hash', () => {
    expect(wordsOf('a'.repeat(65))).toEqual([]);
  });

  it.each([
    'parseHTTPResponse v2API X-Request_ID ABCDef 4Getting myURL2Go',
    "Listing the accounts: I'd like THEM, currencies\tand\nflights (ASAP)",
    'internationalizationOfCalculations internationalization',
    'listAPIsOfHost userIDs2 PDFAsImage VMs, IDs_of APIs',
  ])('%s: the same beside a word that is not ASCII, and asked again', (text) => {
    const words = wordsOf(text);
    expect(wordsOf(`${text} ё`)).toEqual([...words, 'е']);
    expect(joinedWordsOf(`${text} ё`)).toEqual(joinedWordsOf(text));
    expect(wordsOf(text)).toEqual(words);
  });

  it('is bounded', () => {
    expect(wordsOf('money '.repeat(1_000_000)).length).toBeLessThan(20_000);
    expect(joinedWordsOf('gitLab '.repeat(1_000_000)).length).toBeLessThan(20_000);
    expect(joinedWordsOf('a'.repeat(1_000_000))).toEqual([]);
  });
});

it.each([
  ['accounts', 'account'],
  ['listing', 'listed'],
  ['currencies', 'currency'],
  ['calculation', 'calculate'],
  ['payment', 'pay'],
  ['searches', 'search'],
])('%s and %s share a stem', (one, other) => {
  expect(stem(one)).toBe(stem(other));
});

describe('a misspelt word', () => {
  it('is as many slips away as letters are missing, too many, wrong or swapped', () => {
    expect(slipsBetween('balance', 'balnace', 2)).toBe(1);
    expect(slipsBetween('transfer', 'trnsfr', 2)).toBe(2);
    expect(slipsBetween('transfer', 'money', 2)).toBe(3);
  });

  it('means what is near, nearest first, unless it is short or a number', () => {
    const vocabulary = ['transfer', 'transform', 'trans', '12346'];
    expect(likelySpellings('trasnfer', vocabulary).map(({ word }) => word)).toEqual(['transfer']);
    expect(likelySpellings('tran', vocabulary)).toEqual([]);
    expect(likelySpellings('12345', vocabulary)).toEqual([]);
  });
});

it('makes no more of a text than its first 100,000 characters, however many each is made of', () => {
  const words = wordsOf('\ufdfa '.repeat(50_000));
  expect(words.reduce((sum, word) => sum + word.length, 0)).toBeLessThanOrEqual(100_000);
  expect(words.length).toBeGreaterThan(0);
});

it.each([
  ['of one kind', '\u05b0'.repeat(99_999)],
  ['of two kinds', '\u05b0\u0591'.repeat(50_000)],
  ['that take the width of a letter', '\uff9e\u0591'.repeat(50_000)],
])('reads no more than 30 marks upon a letter: %s', (_, marks) => {
  expect(wordsOf(`א${marks}`)).toEqual(wordsOf(`א${marks.slice(0, 30)}`));
});
