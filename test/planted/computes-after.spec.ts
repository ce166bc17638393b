test('leaves behind what computes for ever', () => {
  setImmediate(() => {
    for (let turn = 0; turn >= 0; turn += 1) turn %= 2;
  });
  expect(1 + 1).toBe(2);
});
