test('waits for ever', async () => {
  await new Promise(() => undefined);
});
