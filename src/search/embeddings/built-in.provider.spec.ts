import { builtInVector } from './built-in.provider.js';

const cosine = (one: string, other: string): number => {
  const [a, b] = [builtInVector(one), builtInVector(other)];
  const dot = a.reduce((sum, each, at) => sum + each * (b[at] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
};

describe('the built-in vectors', () => {
  it.each([
    ['an apartment to lease', 'houses for rent', 'a recipe for soup'],
    ['my car broke down', 'vehicle repair', 'music playlists'],
    ['book a hotel', 'reserveRoom', 'translateText'],
  ])('are near where words mean about the same: %s, %s, and not %s', (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.2);
  });
});
