test('computes for ever', () => {
  for (let turn = 0; turn >= 0; turn += 1) turn %= 2;
});
