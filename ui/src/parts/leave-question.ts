import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../texts/texts.tsx';

/** Asks before a page is left on which something is not saved. */
export function useLeaveQuestion(isEdited: boolean): void {
  const { drafts } = useTexts();
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isEdited && current.pathname !== next.pathname && !confirm(drafts.leave),
    enableBeforeUnload: isEdited,
  });
}
