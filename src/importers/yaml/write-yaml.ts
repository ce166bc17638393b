import { dump } from 'js-yaml';

/** YAML 1.2 of plain JSON, members in their order, long texts on lines of their own. */
export function writeYaml(value: object): string {
  return dump(value, { lineWidth: -1, noRefs: true });
}
