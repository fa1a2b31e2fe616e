/** The tree of a syntax highlighter as components. Text stays text, so no code of it runs. */
import type { Root, RootContent } from 'hast';
import type { ComponentChildren } from 'preact';

export const colored = ({ children }: Root): ComponentChildren => children.map(componentOf);

function componentOf(node: RootContent): ComponentChildren {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const { className } = node.properties;
  return <span class={String(className)}>{node.children.map(componentOf)}</span>;
}
