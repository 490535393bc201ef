// `npm run pictures`: has the end-to-end test of the walkthrough take its pictures anew, and puts
// them where the walkthrough shows them. Look at them before they are committed.
import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { picturesFolder } from '../e2e/pictures';
import { repository, say } from './cache';
import { run } from './run';

async function main(): Promise<void> {
	await run('tsx', ['test/host/runE2e.ts', 'test/e2e/walkthrough.test.ts'], { cwd: repository });
	const folder = join(repository, 'media/walkthrough');
	await mkdir(folder, { recursive: true });
	for (const name of await readdir(picturesFolder)) {
		await cp(join(picturesFolder, name), join(folder, name));
		const { size } = await stat(join(folder, name));
		say(`${name}: ${(size / 1000).toFixed(1)} kB`);
	}
}

main().catch((error: Error) => {
	say(error.message);
	process.exitCode = 1;
});
