export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const kept = 'portal.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

export function chosenTheme(): Theme {
  const value = localStorage.getItem(kept);
  return themes.find((theme) => theme === value) ?? 'system';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(kept, theme);
  showTheme();
}

/** Gives the page the class that the component library is dark by. */
export function showTheme(): void {
  const theme = chosenTheme();
  const isDark = theme === 'dark' || (theme === 'system' && dark.matches);
  document.documentElement.classList.toggle('pf-v6-theme-dark', isDark);
}

/** Follows the system where nothing else was chosen. */
export function followTheme(): void {
  showTheme();
  dark.addEventListener('change', showTheme);
}
