import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCatalog, type CatalogDocument, type CatalogIdentity } from './catalog-document.js';

/** A catalog with the time when the service last confirmed it, in milliseconds since 1970. */
export interface ConfirmedCatalog {
  readonly document: CatalogDocument;
  readonly confirmedAt: number;
}

/**
 * Stores catalogs on disk: `<folder>/<hostId>/<agentDefId>/<service, environment, tier>/<catalogVersion>.json`, the
 * newest one alone. The modification time of a file is when its content was last confirmed. Unreadable files count as
 * missing.
 */
export class CatalogFiles {
  constructor(private readonly folder: string) {}

  /**
   * Reads the newest catalog.
   *
   * @param tier limit of the token, which the catalog depends on
   */
  async read(identity: CatalogIdentity, tier: string): Promise<ConfirmedCatalog | undefined> {
    const folder = this.folderOf(identity, tier);
    const [newest] = (await versionsIn(folder)).reverse();
    if (newest === undefined) return undefined;
    const file = join(folder, `${newest}.json`);
    try {
      const document = readCatalog(JSON.parse(await readFile(file, 'utf8')), identity);
      return { document, confirmedAt: (await stat(file)).mtimeMs };
    } catch {
      return undefined;
    }
  }

  /** Replaces the stored catalog, atomically for readers. */
  async keep(identity: CatalogIdentity, tier: string, catalog: ConfirmedCatalog): Promise<void> {
    const folder = this.folderOf(identity, tier);
    const { document, confirmedAt } = catalog;
    const file = join(folder, `${document.catalogVersion}.json`);
    const draft = `${file}.${process.pid}.draft`;
    const seconds = confirmedAt / 1000;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(document), { mode: 0o600 });
    await utimes(draft, seconds, seconds);
    await rename(draft, file);
    const others = (await versionsIn(folder)).filter((version) => version !== document.catalogVersion);
    await Promise.all(others.map((version) => rm(join(folder, `${version}.json`), { force: true })));
  }

  /** Confirms the stored catalog. */
  async confirm(identity: CatalogIdentity, tier: string, catalog: ConfirmedCatalog): Promise<void> {
    const file = join(this.folderOf(identity, tier), `${catalog.document.catalogVersion}.json`);
    const seconds = catalog.confirmedAt / 1000;
    await utimes(file, seconds, seconds).catch(() => this.keep(identity, tier, catalog));
  }

  /** Deletes all catalogs of the agent. */
  async forget({ hostId, agentDefId }: CatalogIdentity): Promise<void> {
    await rm(join(this.folder, safe(hostId), safe(agentDefId)), { recursive: true, force: true });
  }

  private folderOf({ hostId, agentDefId, serviceId, envTag }: CatalogIdentity, tier: string): string {
    const rest = createHash('sha256').update([serviceId, envTag, tier].join('\0')).digest('hex');
    return join(this.folder, safe(hostId), safe(agentDefId), rest.slice(0, 16));
  }
}

/** Versions in a folder, ascending. */
async function versionsIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => (/^\d{1,15}[.]json$/.test(name) ? [Number.parseInt(name, 10)] : []))
    .sort((a, b) => a - b);
}

/** Encodes an id, which could be a path. */
function safe(id: string): string {
  return encodeURIComponent(id).replaceAll('.', '%2E');
}
