import type * as vscode from 'vscode';

/** In milliseconds: about as long as there is between two keys that are typed in one go. */
const pauseMs = 100;

/**
 * Waits until nobody has typed or moved on for a moment: the editor cancels what it has asked for then.
 *
 * @returns whether it is still wanted
 */
export async function pause(token: vscode.CancellationToken): Promise<boolean> {
	if (token.isCancellationRequested) {
		return false;
	}
	const over = Promise.withResolvers<boolean>();
	const timer = setTimeout(() => over.resolve(true), pauseMs);
	const cancelled = token.onCancellationRequested(() => over.resolve(false));
	try {
		return await over.promise;
	} finally {
		clearTimeout(timer);
		cancelled.dispose();
	}
}
