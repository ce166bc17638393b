import { createContext, use, useMemo, type ReactNode } from 'react';
import { en } from './en.ts';
import type { Texts } from './words.ts';

export type Language = 'en' | 'de';
export const languages: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

const kept = 'portal.language';

/** The language that was chosen here, else the first of the browser's that there is. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(kept) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find((tag): tag is Language => tag in languages) ?? 'en';
}

/** Chooses a language for good. The page is made anew in it. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(kept, language);
  location.reload();
}

export async function textsOf(language: Language): Promise<Texts> {
  return language === 'de' ? (await import('./de.ts')).de : en;
}

interface Speech {
  readonly texts: Texts;
  readonly language: Language;
}

const SpeechContext = createContext<Speech>({ texts: en, language: 'en' });

export function Speech({ texts, language, children }: Speech & { readonly children: ReactNode }) {
  const speech = useMemo(() => ({ texts, language }), [texts, language]);
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

/** The texts of the page's language. */
export function useTexts(): Texts {
  return use(SpeechContext).texts;
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The language as the browser's user writes it: `en-GB`, where that is what is preferred. */
function localeOf(language: Language): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}

/** How dates and numbers are written in it. */
export function useFormats() {
  const { language } = use(SpeechContext);
  return useMemo(() => {
    const locale = localeOf(language);
    const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
    const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
    return {
      moment: (iso: string) => moment.format(new Date(iso)),
      /** From now: `2 hr. ago`, `now`. */
      ago: (iso: string) => {
        const seconds = (Date.parse(iso) - Date.now()) / 1000;
        const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', Infinity];
        return relative.format(Math.trunc(seconds / size), unit);
      },
      number: (value: number) => number.format(value),
    };
  }, [language]);
}
