test('fails each time', () => {
  expect(1 + 1).toBe(3);
});
