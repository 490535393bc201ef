import { showBusyList } from './quickInput.js';
import { texts } from './texts.js';

/**
 * Runs a search behind a list that is still empty and says how far it is. When the search is over
 * the list is gone, so that the next question takes its place; a notification would stay beside it.
 *
 * @param what is looked for: `missing images`
 * @param search gets what reports how far it is, and the signal of the list being left
 * @returns `undefined` where the user has left the list
 */
export async function searchWithProgress<T>(
	title: string,
	what: string,
	search: (report: (found: string) => void, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
	const leaving = new AbortController();
	const list = showBusyList(title, texts.lookingFor(what), () => {
		leaving.abort();
	});
	try {
		const result = await search((found) => {
			list.send(texts.found(what, found));
		}, leaving.signal);
		return leaving.signal.aborted ? undefined : result;
	} catch (error) {
		if (leaving.signal.aborted) {
			return undefined;
		}
		throw error;
	} finally {
		list.dispose();
	}
}
