import type { ArchiveFile } from '../../documents/archive-file.js';
import { writeTar, writeZip } from '../../documents/archive.stream.js';
import { folderName } from '../../documents/skill-md.js';
import { writeYaml } from '../../documents/yaml.js';
import type { ExportQuery } from './skill-document.schemas.js';
import { headOf, type ExportedSkill } from './skill-export.js';

/** An export as it goes out. */
export interface WrittenSkill {
  readonly mediaType: string;
  readonly fileName: string;
  readonly body: Buffer;
}

/** Writes a skill as a structured document, as SKILL.md, or as the folder that an agent takes in. */
export async function writeSkill(
  exported: ExportedSkill,
  format: ExportQuery['format'],
): Promise<WrittenSkill> {
  const { document } = exported;
  const name = folderName(document.name);
  const written = (mediaType: string, fileName: string, body: string | Uint8Array): WrittenSkill => ({
    ...{ mediaType, fileName },
    body: Buffer.from(body as string),
  });
  switch (format) {
    case 'json':
      return written('application/json', `${name}.skill.json`, JSON.stringify(document));
    case 'yaml':
      return written('application/yaml', `${name}.skill.yaml`, writeYaml(document));
    case 'skill-md':
      return written('text/markdown; charset=utf-8', 'SKILL.md', skillMdOf(exported));
    case 'zip':
      return written('application/zip', `${name}.zip`, await writeZip(filesOf(exported, name)));
    case 'tar':
      return written('application/gzip', `${name}.tar.gz`, await writeTar(filesOf(exported, name)));
  }
}

function skillMdOf(exported: ExportedSkill): string {
  return headOf(exported) + exported.document.contentMarkdown;
}

function filesOf(exported: ExportedSkill, folder: string): ArchiveFile[] {
  const others = exported.folder?.files ?? [];
  return [
    { path: `${folder}/SKILL.md`, bytes: Buffer.from(skillMdOf(exported)) },
    ...others.map(({ path, base64 }) => ({
      path: `${folder}/${path}`,
      bytes: Buffer.from(base64, 'base64'),
    })),
  ];
}
