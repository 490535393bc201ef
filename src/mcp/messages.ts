/** Words of the server for a model where no window answers, to be passed on to the user. */
import { untrustedNote } from '../protocol/agents.js';

const notReceived =
	'Easel has not received this call, so it has requested nothing. What was requested before goes on: the same call with the same request_key finds it.';
const maybeReceived =
	'Easel may have received this call, and an image may be in the making. Call again with the same arguments and the same request_key: that finds it, and buys nothing twice.';

export const serverMessages = {
	noWindow: (folder: string, open: readonly string[]) =>
		open.length === 0
			? `No VS Code window with Easel is open for “${folder}”. Ask the user to open this folder in VS Code with Easel, then call again. ${notReceived}`
			: `No VS Code window with Easel has “${folder}” open. Open are: ${listed(open)}. Ask the user to open “${folder}” in VS Code. If one of these is the project, call again with it as the argument workspace. ${notReceived}`,
	silentWindow: (folders: readonly string[], code: string) =>
		`The VS Code window of ${listed(folders)} does not answer (${code}). Ask the user to reload it. ${notReceived}`,
	unreachableWindow: (folders: readonly string[], code: string) =>
		`VS Code has ${listed(folders)} open, but this server cannot reach it (${code}). It may run in another container, or with another temporary folder. Ask the user to start you where VS Code runs, or to reload that window. ${notReceived}`,
	windowClosed: `The VS Code window has closed before it answered. ${maybeReceived}`,
	noAnswer: (seconds: number) =>
		`The VS Code window has not answered within ${String(seconds)} seconds; it may hang or be closing. ${maybeReceived} If it does not answer then either, ask the user to reload it.`,
	tooLong: (length: number) =>
		`The arguments have ${String(length)} characters, more than a call may have. Pass images by their paths, not by their content. Nothing was requested or charged by this call.`,
	waiting: 'Waiting for Easel',
	instructions: `Easel makes images for the documents of a VS Code workspace. An image takes minutes and costs money. Look with list_images and find_missing_images for what exists first. Reuse request_key when you repeat a call. Wait with wait_for_image in place of repeating. ${untrustedNote}`,
};

/** Number of folders that are named, so that a client that cuts answers leaves none out. */
const maxListed = 10;

function listed(folders: readonly string[]): string {
	const rest = folders.length - maxListed;
	return [...folders.slice(0, maxListed), ...(rest > 0 ? [`${String(rest)} more`] : [])].join(', ');
}
