import { spelledVariations, unseen } from '../platform/validation/unseen-characters.js';
import { foldedText } from './folded-text.js';
import { UnreadableDocument } from './findings.js';
import type { FolderLimits } from './limits.js';

/** One file of an archive, or of a folder that is sent. */
export interface ArchiveFile {
  /** Relative, with slashes, without `.` and `..`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const MAX_PATH = 255;
const { turning, directing, softHyphen, widthless, byteOrder, blank, framing, tags, unassigned } = unseen;
const disguising = `${turning}${directing}${softHyphen}${widthless}${byteOrder}${blank}${framing}${tags}${unassigned}`;
/**
 * Matches characters that some file system can't hold in a name, and what disguises one. Joiners don't: names in Persian are written with
 * them, and of two that differ by one the second is refused.
 */
const odd = new RegExp(
  String.raw`[\\:*?"<>|\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}${disguising}]|${spelledVariations}`,
  'u',
);
/** Names that Windows keeps for devices, whatever they end with. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;
/** Where git keeps its settings, which name programs that it runs; the second is how Windows shortens the first. */
const ofGit = /^(?:\.git|git~1)$/;

/**
 * Refuses a path that leads out of its folder, or that some file system takes for another one or can't hold.
 *
 * @throws UnreadableDocument `unsafe_path`
 */
export function checkPath(path: string): void {
  const fault = faultOf(path);
  if (fault === undefined) return;
  throw new UnreadableDocument(
    'unsafe_path',
    `The path ${shown(path)} ${fault}. Name each file below the folder, with slashes, by a name that every disk can hold.`,
  );
}

/** Whether every disk can hold the path, and it stays in its folder. */
export function isFittingPath(path: string): boolean {
  return faultOf(path) === undefined;
}

function faultOf(path: string): string | undefined {
  const steps = path.split('/');
  if ([...steps, ...foldedText(path).split('/')].some((step) => /^\.{0,2}$/.test(step)))
    return 'leads out of the folder, as it stands or in plain letters';
  if (odd.test(path)) return 'holds a character that no path should';
  if (path.length > MAX_PATH) return `is longer than ${String(MAX_PATH)} characters`;
  if (steps.some((step) => /[. ]$/.test(step)))
    return 'has a name that ends in a dot or a blank, which Windows drops';
  if (steps.some(isDevice)) return 'has the name of a device of Windows';
  if (steps.some(isOfGit)) return 'has a part that git takes for its own settings, which run programs';
  return undefined;
}

/** Whether Windows takes the name for one of its devices. */
export function isDevice(name: string): boolean {
  return device.test(name);
}

function isOfGit(step: string): boolean {
  return ofGit.test(foldedText(step).replace(/[. ]+$/, ''));
}

/**
 * Whether a path is hidden, as the settings of tools are (`.husky`, `.envrc`, `.vscode`): programs read these by themselves,
 * and run what they name.
 */
export function isSetting(path: string): boolean {
  return path.split('/').some((step) => foldedText(step).startsWith('.'));
}

function shown(path: string): string {
  const plain = path.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '\ufffd');
  return JSON.stringify(Array.from(plain).slice(0, 80).join(''));
}

/**
 * Refuses files that one disk can't hold beside each other, and folders that git would take for a repository.
 *
 * @throws UnreadableDocument `unsafe_path`, `document_too_expensive`, and `malformed_archive` where a path comes twice, or is
 *   a folder as well
 */
export function checkFiles(files: readonly ArchiveFile[], limits: FolderLimits): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    checkPath(path);
    const folded = foldedPath(path);
    if (seen.has(folded))
      throw malformed(`it holds ${shown(path)} twice, case and the spelling of letters aside`);
    seen.add(folded);
  }
  for (const { path } of files) {
    const above = foldersAbove(foldedPath(path)).find((folder) => seen.has(folder));
    if (above !== undefined) throw malformed(`${shown(above)} is a file, and the folder of ${shown(path)}`);
  }
  const [repository] = repositoriesIn([...seen]);
  if (repository !== undefined) throw repositoryWithin(repository);
  checkSize(
    files.length,
    files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    limits,
  );
}

/** The files that may be written onto a disk: without those that `checkFiles` refuses; of two that are alike the first. */
export function safeFiles(files: readonly ArchiveFile[]): ArchiveFile[] {
  const taken = new Set<string>();
  const folders = new Set<string>();
  const fitting = files.filter(({ path }) => {
    const folded = foldedPath(path);
    const above = foldersAbove(folded);
    if (faultOf(path) !== undefined || taken.has(folded) || folders.has(folded)) return false;
    if (above.some((folder) => taken.has(folder))) return false;
    taken.add(folded);
    for (const folder of above) folders.add(folder);
    return true;
  });
  const repositories = new Set(repositoriesIn([...taken]));
  const isWithin = (path: string): boolean =>
    repositories.has('') || foldersAbove(foldedPath(path)).some((folder) => repositories.has(folder));
  return repositories.size === 0 ? fitting : fitting.filter(({ path }) => !isWithin(path));
}

/** Folds a path as file systems do that know no case, or more than one spelling of a letter. */
function foldedPath(path: string): string {
  return path.split('/').map(foldedText).join('/');
}

function foldersAbove(path: string): string[] {
  const steps = path.split('/');
  return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('/'));
}

/**
 * Folders that git takes for a repository without a `.git`: with HEAD, objects and refs, or with a word where these are.
 *
 * @param paths folded
 */
function repositoriesIn(paths: readonly string[]): string[] {
  const known = new Set(paths.flatMap((path) => [path, ...foldersAbove(path)]));
  const heads = paths
    .filter((path) => /(?:^|\/)head$/.test(path))
    .map((path) => path.slice(0, -'head'.length));
  return heads
    .filter((at) => known.has(`${at}commondir`) || (known.has(`${at}objects`) && known.has(`${at}refs`)))
    .map((at) => at.replace(/\/$/, ''));
}

function repositoryWithin(folder: string): UnreadableDocument {
  const where = folder === '' ? 'The folder' : `The folder ${shown(folder)}`;
  const detail = `${where} is a repository to git, whose settings run programs. Leave out HEAD, objects and refs.`;
  return new UnreadableDocument('unsafe_path', detail);
}

export function checkSize(files: number, bytes: number, limits: FolderLimits): void {
  if (files <= limits.files && bytes <= limits.bytes) return;
  throw new UnreadableDocument(
    'document_too_expensive',
    `The folder has more than ${String(limits.files)} files or ${String(limits.bytes / 1024)} KiB. Leave out what is not needed.`,
  );
}

export function malformed(reason: string): UnreadableDocument {
  return new UnreadableDocument(
    'malformed_archive',
    `The archive can't be read: ${reason}. Pack it again as zip, tar or tar.gz, without links and passwords.`,
  );
}
