// What the scripts say beside that which the first page needs at once. A module that says any of it
// imports this one.

import { add, language } from "./words.js";

const { default: more } = await import(`./words/${language}.more.js`);
add(more);
