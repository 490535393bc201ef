/** What a model reads of the server where no window answers, for it to pass on to the user. */

const again =
	'Then call again with the same arguments and the same request_key. Nothing was requested or charged.';

export const serverMessages = {
	noWindow: (workspace: string) =>
		`No VS Code window with Easel has “${workspace}” open. Ask the user to open this folder in VS Code with Easel. ${again}`,
	severalWindows: (workspace: string, folders: readonly string[]) =>
		`No VS Code window has “${workspace}” open, but several others are open: ${folders.join(', ')}. Ask the user to start this server in one of these folders, or with --workspace. ${again}`,
	silentWindow: (folders: readonly string[], code: string) =>
		`The VS Code window of ${folders.join(', ')} does not answer (${code}). Ask the user to reload it. ${again}`,
	windowClosed:
		'The VS Code window has closed before it answered. Call again with the same arguments and the same request_key: this buys nothing twice.',
	waiting: 'Waiting for Easel',
	instructions:
		'Easel makes images for the documents of a VS Code workspace. An image takes minutes and costs money. Look with list_images and find_missing_images for what exists first. Reuse request_key when you repeat a call. Wait with wait_for_image in place of repeating.',
};
