const DECIMAL = /^[-+]?(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i;
/** No number that JSON carries has more characters than some 20: longer ones are not looked at. */
const MAX_LENGTH = 400;

/** Whether a decimal number is the same, digit by digit, once it was read as a number of JSON and written again. */
export function isCarried(written: string): boolean {
  if (written.length > MAX_LENGTH || !DECIMAL.test(written)) return false;
  return digitsOf(written) === digitsOf(String(Number(written)));
}

/** The digits of a number without the zeros around them, and their power of ten. */
function digitsOf(written: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(written) ?? [];
  const digits = whole + fraction;
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - kept.length);
  return `${kept.replace(/^0+/, '')}e${String(power)}`;
}

/** From here on numbers of JSON are written with an exponent: they are no integers that somebody counts with. */
const LARGE = 1e21;

/** Whether a number that was read is an integer of which nobody knows any more how it was written. */
export function isRounded(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < LARGE;
}
