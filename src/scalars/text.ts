/**
 * The rule for text input: Unicode NFC, trimmed, without invisible characters or characters that
 * change how the surrounding text is displayed. Shared by the API, portal forms, imports and
 * operator commands. Stored text is returned unchanged.
 */

export interface TextRule {
  /** 0 accepts blank text, which is returned as ''. */
  readonly min?: 0 | 1;
  /** Maximum length in characters (code points). */
  readonly max: number;
  /** Whether line breaks are allowed. They are returned as "\n". */
  readonly hasLines?: boolean;
  readonly pattern?: RegExp;
  /** The message when the pattern does not match. Continues “slug …”. */
  readonly hint?: string;
}

/**
 * Bidirectional controls: they can display text in another order than it is read. Written as
 * ranges, which every regular expression engine supports.
 */
const bidirectional = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const breaks = '\\n\\r\\u0085\\u2028\\u2029';
/** Control characters other than line breaks. */
const controls = '\\u0000-\\u0009\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u0084\\u0086-\\u009F';
/** Invisible characters, including whitespace. */
const invisible =
  '\\s\\u0085\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB';

const refusedOf = ({ hasLines = false }: Pick<TextRule, 'hasLines'>): string =>
  `${controls}${hasLines ? '' : breaks}${bidirectional}`;

/** A JSON Schema pattern equivalent to {@link readText}, except for surrounding whitespace. */
export const patternOf = (rule: Pick<TextRule, 'hasLines'>): string => {
  const refused = refusedOf(rule);
  return `^[^${refused}]*[^${refused}${invisible}][^${refused}]*$`;
};

const refused = {
  line: new RegExp(`[${refusedOf({})}]`),
  lines: new RegExp(`[${refusedOf({ hasLines: true })}]`),
};
const bidirectionalOnes = new RegExp(`[${bidirectional}]`);
/**
 * The pattern for clients omits characters beyond 16 bits, which not every regular expression
 * engine supports.
 */
const visible = /[^\s\p{Default_Ignorable_Code_Point}\u0085\u2800\uFFF9-\uFFFB]/u;
/** Text below U+0300 is always in NFC and has no combining marks. */
const plain = /^[\0-\u02ff]*$/;
/**
 * Maximum number of consecutive combining marks, as in UAX #15 (Stream-Safe Text Format):
 * normalization sorts them in quadratic time.
 */
const maxMarks = 30;

/** Thrown for invalid text. The message continues “slug …”. */
export class TextError extends Error {}

const reject = (sentence: string): never => {
  throw new TextError(sentence);
};

/**
 * Normalizes and validates text.
 * @throws {TextError}
 */
export function readText(given: string, rule: TextRule): string {
  const { min = 1, max, hasLines = false, pattern, hint = 'has an invalid format' } = rule;
  const tooLong = `must be at most ${max} characters long`;
  const trimmed = given.trim();
  // NFC combines at most eight code units to one character, so a text that is far too long needs no
  // further check.
  if (trimmed.length > 8 * max) return reject(tooLong);
  if (!trimmed.isWellFormed()) return reject('must not contain unpaired surrogates');
  const text = hasLines
    ? normalize(trimmed).replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    : normalize(trimmed);
  if ((hasLines ? refused.lines : refused.line).test(text)) {
    return reject(
      bidirectionalOnes.test(text)
        ? 'must not contain bidirectional controls'
        : controlSentence(hasLines),
    );
  }
  if (text === '') return min === 0 ? '' : reject('must not be empty');
  if (!visible.test(text)) return reject('must not have only invisible characters');
  if (text.length > max && [...text].length > max) return reject(tooLong);
  return pattern && !pattern.test(text) ? reject(hint) : text;
}

function normalize(text: string): string {
  if (plain.test(text)) return text;
  if (text.match(/\p{M}+/gu)?.some((run) => run.length > maxMarks))
    return reject(`must not have more than ${maxMarks} combining marks in a row`);
  return text.normalize('NFC');
}

const controlSentence = (hasLines: boolean): string =>
  hasLines
    ? 'must not contain control characters other than line breaks'
    : 'must not contain control characters or line breaks';

const unseen = `${refusedOf({})}${invisible}`;

/** Rules shared by several inputs. */
export const nameRule: TextRule = { max: 200 };
export const emailRule: TextRule = {
  max: 254,
  // No invisible characters, so that two different addresses never look the same.
  pattern: new RegExp(`^[^@${unseen}]+@[^@.${unseen}]+(\\.[^@.${unseen}]+)*$`),
  hint: 'must be an e-mail address',
};
