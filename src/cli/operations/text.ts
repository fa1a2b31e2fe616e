import { invalid } from '../../errors.js';
import { readText, TextError, type TextRule } from '../../scalars/text.js';

/** Validates the text of an option by the API's rule. @throws {ApiError} `validation_error`. */
export function readOption(option: string, text: string, rule: TextRule): string {
  try {
    return readText(text, rule);
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    throw invalid({ [option]: [`${option} ${error.message}.`] });
  }
}
