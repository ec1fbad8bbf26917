// The scripts' messages that the first page does not need at once. Every module that uses one
// imports this module.

import { add, language } from "./words.js";

const { default: more } = await import(`./words/${language}.more.js`);
add(more);
