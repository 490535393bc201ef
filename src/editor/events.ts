import type * as vscode from 'vscode';

/** Resolves when an event occurs that counts; to `false` where the time has passed before. */
export async function occurs<T>(
	event: vscode.Event<T>,
	timeoutMs?: number,
	counts: (value: T) => boolean = () => true,
): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const listening = event((value) => {
		if (counts(value)) {
			resolve(true);
		}
	});
	const timer = timeoutMs === undefined ? undefined : setTimeout(() => resolve(false), timeoutMs);
	try {
		return await promise;
	} finally {
		clearTimeout(timer);
		listening.dispose();
	}
}
