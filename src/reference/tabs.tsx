/**
 * The samples of an operation, as tabs without scripts: radio buttons, whose state
 * public/reference.css evaluates.
 */

import { Code, jsonOf } from './code.js';
import type { Entry } from './entry.js';
import { samplesOf } from './samples.js';

export const Samples = ({ entry }: { entry: Entry }) => {
  const { name, request, twin } = entry;
  const samples = samplesOf(request);
  return (
    <fieldset class="samples">
      <legend class="unseen">Language of the example: {entry.title}</legend>
      {[...samples.map(({ language }) => language), 'GraphQL'].map((language, index) => (
        <label class="tab">
          <input type="radio" name={`language-${name}`} value={language} checked={index === 0} />{' '}
          {language}
        </label>
      ))}
      {samples.map(({ language, text }) => (
        <div class="panel" data-language={language}>
          <Code
            id={`${name}-${language}`}
            what={`the ${language} example`}
            language={language.toLowerCase()}
            text={text}
          />
        </div>
      ))}
      <div class="panel" data-language="GraphQL">
        <Code
          id={`${name}-document`}
          what="the GraphQL operation"
          language="graphql"
          text={twin.document}
        />
        <p class="small muted">Variables</p>
        <Code
          id={`${name}-variables`}
          what="the variables"
          language="json"
          text={jsonOf(twin.variables)}
        />
      </div>
    </fieldset>
  );
};
