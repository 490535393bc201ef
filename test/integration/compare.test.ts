import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { inRoot, remove, root } from './workspace.js';

suite('easel.compareImages', () => {
	const at = (...names: string[]) => vscode.Uri.joinPath(root(), ...names);

	suiteSetup(async () => {
		await mkdir(inRoot('before'));
		await mkdir(inRoot('after'));
		// Whether the content is an image is for the panel to say.
		for (const uri of [at('before', 'pier.png'), at('after', 'pier.png'), at('after', 'sea.png')]) {
			await vscode.workspace.fs.writeFile(uri, Buffer.from('not an image'));
		}
	});

	teardown(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

	suiteTeardown(async () => {
		await remove('before');
		await remove('after');
	});

	function titles(): string[] {
		return vscode.window.tabGroups.all
			.flatMap((group) => group.tabs)
			.filter(({ input }) => input instanceof vscode.TabInputWebview)
			.map(({ label }) => label);
	}

	/** Runs the command and waits for the tabs that it leaves. */
	async function compare(expected: readonly string[], ...given: unknown[]): Promise<void> {
		await vscode.commands.executeCommand('easel.compareImages', ...given);
		await new Promise<void>((resolve) => {
			const check = () => {
				if (titles().join() === expected.join()) {
					listener.dispose();
					resolve();
				}
			};
			const listener = vscode.window.tabGroups.onDidChangeTabs(check);
			check();
		});
	}

	test('takes two images, and shows the same two only once', async () => {
		const [pier, sea] = [at('before', 'pier.png'), at('after', 'sea.png')];
		await compare(['pier.png ↔ sea.png'], pier, sea);
		await compare(['pier.png ↔ sea.png'], pier, sea);
		await compare(['pier.png ↔ sea.png', 'sea.png ↔ pier.png'], sea, pier);
	});

	test('takes the selection of the explorer in its order', async () => {
		const [pier, sea] = [at('after', 'pier.png'), at('after', 'sea.png')];
		await compare(['pier.png ↔ sea.png'], sea, [pier, sea]);
	});

	test('tells two files of one name apart by their folders', async () => {
		const pair = [at('before', 'pier.png'), at('after', 'pier.png')];
		await compare(['before/pier.png ↔ after/pier.png'], ...pair);
	});

	test('opens nothing for three', async () => {
		const three = [at('before', 'pier.png'), at('after', 'pier.png'), at('after', 'sea.png')];
		await compare([], three[0], three);
		await compare(['pier.png ↔ sea.png'], three[0], three[2]);
	});
});
