// What it costs the extension host that the cursor moves through a large document, beside the same
// text in a language that Easel has nothing to do with. Linux only: it reads /proc.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Workbench } from '../e2e/workbench.js';
import type { Run } from './bench.js';
import { packaged } from './packaged.js';

const moves = 100;
const kibibytes = 512;

export async function measure({ rounds, record }: Run): Promise<void> {
	const workbench = await Workbench.open({ vsix: await packaged() });
	try {
		const line = 'A harbor ![at dusk](images/harbor.png) and what lies *behind* it, at length.\n\n';
		const text = line.repeat((kibibytes * 1024) / line.length);
		for (const name of ['large.md', 'large.log']) {
			await writeFile(path.join(workbench.folder, name), text);
		}
		for (let round = 0; round < rounds; round++) {
			record('move', await moveMs(workbench, 'large.md'), await moveMs(workbench, 'large.log'));
		}
	} finally {
		await workbench.close();
	}
}

/** Processor time of the extension host for one move of the cursor, in milliseconds. */
async function moveMs(workbench: Workbench, name: string): Promise<number> {
	await workbench.openFile(name);
	await workbench.editorText().click();
	await settled(workbench);
	const before = await processorMs(workbench);
	for (let move = 0; move < moves; move++) {
		await workbench.page.keyboard.press('ArrowDown');
	}
	await settled(workbench);
	return ((await processorMs(workbench)) - before) / moves;
}

/** Resolves when the extension host has handled its earlier messages: it answers in order. */
async function settled(workbench: Workbench): Promise<void> {
	await workbench.runCommand('Easel: Insert Generated Image…');
	await workbench.waitForNotification('Easel has not made an image in this workspace yet.');
	await workbench.dismissEverything();
	await workbench.page.keyboard.press('ControlOrMeta+1');
}

async function processorMs(workbench: Workbench): Promise<number> {
	const pid = await workbench.editor.extensionHostPid();
	const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
	// From the third field on: the name before may hold anything. Both are in hundredths of a second.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}
