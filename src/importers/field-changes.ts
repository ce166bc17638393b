import { changeGrades, type ChangeGrade, type FieldGrades } from '../endpoints/change-grade.js';
import { fieldsOf } from '../endpoints/endpoint.layers.js';
import type { EndpointFacts } from '../formats/endpoint-facts.js';
import { valueChanges, type ValueChange } from './value-changes.js';

/** One place where a document says something else of an endpoint than it did. */
export interface FieldChange extends ValueChange {
  /** Dot path. */
  readonly field: string;
  /** Of the change of the whole field. */
  readonly grade: ChangeGrade;
}

/** Places of one field, of one endpoint and of one import that are shown. */
const MOST_OF_FIELD = 5;
const MOST_OF_ENDPOINT = 12;
const MOST_OF_IMPORT = 4_000;

/** Collects what an import changes, as far as there is room for it in a report. */
export class FieldChanges {
  private left = MOST_OF_IMPORT;

  /** Worst grades first. */
  of(before: EndpointFacts | undefined, after: EndpointFacts, grades: FieldGrades): readonly FieldChange[] {
    const [was, is] = [fieldsOf(before ?? {}), fieldsOf(after)];
    const fields = Object.keys(grades).toSorted((a, b) => rankOf(grades[a]) - rankOf(grades[b]));
    const found: FieldChange[] = [];
    for (const field of fields) {
      const room = Math.min(MOST_OF_FIELD, MOST_OF_ENDPOINT - found.length, this.left);
      const places = valueChanges(was.get(field), is.get(field), room);
      found.push(...places.map((place) => ({ field, grade: grades[field] ?? 'wording', ...place })));
      this.left -= places.length;
    }
    return found;
  }
}

const rankOf = (grade: ChangeGrade = 'wording'): number => changeGrades.indexOf(grade);
