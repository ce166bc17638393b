import { judgePattern } from '../../../packages/schema-reading/judge-pattern.js';

describe('a regular expression of a document', () => {
  it.each([
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    '[a-zA-Z0-9]+(?:[-_\\.][a-zA-Z0-9]+)*',
    '^-?\\w+(,-?\\w+)*$',
    '^([a-z0-9-]+\\.)+[a-z]{2,}$',
    '^[{(]?[0-9A-F]{8}[-]?([0-9A-F]{4}[-]?){3}[0-9A-F]{12}[)}]?$',
    '^((25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\\.){3}[0-9]{1,3}$',
    '^(v?(\\d+(\\.\\d+)?)?|(x(y+)?))$',
    '^(-?\\d{1,14}){1}(\\.\\d{1,4}){0,1}$',
  ])('is kept where its rounds can be told apart: %s', (pattern) => {
    expect(judgePattern(pattern)).toBe('fine');
  });

  it.each([
    '(a+)+$',
    '(-?[a-z]+)*$',
    '(,\\w?\\w+)*$',
    '(,\\w?,?\\w+)*$',
    '([a-z]+(-[a-z]+)*)*$',
    '([a-z]+[a-z-])*$',
    '([a-z-]+-)*$',
    '(\\.[^a]+)*$',
    '([a-z]+.)*$',
    '(\\W\\w+|\\w)*$',
    '((a?){8}){8}$',
    '((a?){3})+$',
    '^(\\w(b\\w{3})?)+$',
    '^((a-b)?\\w(,\\w)?){9}$',
    '(a?a?){8}$',
    '(a?){8}(a?){8}$',
    '(a+){8}$',
    '(a{1,9}){8}$',
  ])('is not where they could run for ever: %s', (pattern) => {
    expect(judgePattern(pattern)).toBe('expensive');
  });
});
