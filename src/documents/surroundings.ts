import { delimitedAround, isTable } from './delimited.js';
import { formatOf } from './languages.js';
import { frontMatter } from './metadata.js';

/**
 * Surroundings of an offset in a document: text; code, front matter or a comment, where a link is
 * written as it is; or the cells of a table that have room for one line.
 */
export type Surroundings = 'text' | 'verbatim' | 'cells';

/** Only what begins and ends with lines of its own counts. */
export function surroundingsAt(languageId: string, text: string, offset: number): Surroundings {
	const format = formatOf(languageId);
	if (format === undefined) {
		return 'verbatim';
	}
	const block = delimitedAround(format, text, offset);
	if (block !== undefined && offset > block.opening.end) {
		return isTable(block) ? 'cells' : 'verbatim';
	}
	const mayHaveMetadata = format === 'markdown' || format === 'mdx' || format === 'html';
	return mayHaveMetadata && isInFrontMatter(text, offset) ? 'verbatim' : 'text';
}

function isInFrontMatter(text: string, offset: number): boolean {
	const found = frontMatter(text);
	return found !== undefined && offset > found.opening.end && offset < found.closing.start;
}
