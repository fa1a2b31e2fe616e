/** Syntax colors of code, as elements with the classes that public/code.css colors. */
import bash from 'highlight.js/lib/languages/bash';
import diff from 'highlight.js/lib/languages/diff';
import graphql from 'highlight.js/lib/languages/graphql';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import { colored } from './colored.js';

const grammars = { bash, diff, graphql, http, json, python, sql, typescript, yaml };
const lowlight = createLowlight(grammars);
lowlight.registerAlias({ bash: ['curl'] });

/** @param language A language or its alias, such as `sh` or `ts`. Others stay plain. */
export const Highlighted = ({ language, text }: { language: string; text: string }) => (
  <>{lowlight.registered(language) ? colored(lowlight.highlight(language, text)) : text}</>
);
