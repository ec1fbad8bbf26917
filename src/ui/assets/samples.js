// Sample works.

// Works that show a style to readers who have none yet.
/** @type {Api.Metadata[]} */
export const SAMPLES = [
  { entry_type: "Article", title: "Molecular structure of nucleic acids", authors: [{ family: "Watson", given: "James D." }, { family: "Crick", given: "Francis H. C." }], journal: "Nature", volume: "171", issue: "4356", pages: "737–738", date: { year: 1953, month: 4, day: 25 }, doi: "10.1038/171737a0" },
  { entry_type: "Book", title: "Introduction to Algorithms", authors: [{ family: "Cormen", given: "Thomas H." }, { family: "Leiserson", given: "Charles E." }], publisher: "MIT Press", publisher_place: "Cambridge, MA", edition: "3", date: { year: 2009 }, isbn: "9780262033848" },
];
