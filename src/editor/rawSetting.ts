import * as vscode from 'vscode';

/**
 * Returns the value of a setting of Easel that counts, whatever it is; `readSetting` of `settings.ts`
 * validates it. A window reads by this alone what decides what it loads.
 *
 * @param isOfUser true where what a workspace says does not count; in one that is not trusted it never does
 * @param resource whose folder counts
 */
export function rawSetting(
	key: string,
	fallback: unknown,
	isOfUser: boolean,
	resource: vscode.Uri | undefined,
): unknown {
	const configuration = vscode.workspace.getConfiguration('easel', resource ?? null);
	return isOfUser || !vscode.workspace.isTrusted
		? (configuration.inspect(key)?.globalValue ?? fallback)
		: configuration.get(key, fallback);
}
