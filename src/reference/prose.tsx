/** The Markdown of descriptions: headings, paragraphs, lists, `code` and **bold**. */
import type { ComponentChildren } from 'preact';

/** Inline elements. */
export const Words = ({ text }: { text: string }) => (
  <>
    {text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part): ComponentChildren => {
      if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>;
      return part.startsWith('**') ? <strong>{part.slice(2, -2)}</strong> : part;
    })}
  </>
);

/** The anchor of a heading, by GitHub's rule. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** The headings of a text, in order. */
export const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

/** Several paragraphs. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {text
      .trim()
      .split(/\n{2,}/)
      .map((block) => (
        <Block text={block} />
      ))}
  </>
);

const Block = ({ text }: { text: string }) => {
  if (text.startsWith('## ')) return <h2 id={anchorOf(text.slice(3))}>{text.slice(3)}</h2>;
  if (!text.startsWith('- ')) return <p>{<Words text={text} />}</p>;
  const items = text.slice(2).split(/\n- /);
  return (
    <ul>
      {items.map((item) => (
        <li>
          <Words text={item} />
        </li>
      ))}
    </ul>
  );
};
