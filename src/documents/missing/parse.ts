import type { Suspect } from './look.js';
import { MissingFiles } from './missingFiles.js';
import { missingIn } from './missingIn.js';
import { readText } from './readText.js';
import type { Reports } from './reports.js';

/** Makes a function that reads documents with the parser, and reports what is missing in them. */
export function parser(reports: Reports): (suspect: Suspect) => void {
	const files = new MissingFiles();
	return ({ document, workspaceFolder }) => {
		try {
			const text = readText(document);
			for (const image of missingIn(text, document, workspaceFolder, files)) {
				reports.image(image);
			}
		} catch (error) {
			reports.problem(document, error);
		}
	};
}
