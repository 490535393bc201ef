// `npm run pictures`: takes the pictures of the guide anew, and has the end-to-end test of the
// walkthrough take its own. With “guide” or “walkthrough” it takes these alone. Look at them before
// they are committed.
import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { picturesFolder } from '../e2e/pictures';
import { repository, say } from './cache';
import { takeGuidePictures } from './guidePictures';
import { run } from './run';

async function main(): Promise<void> {
	const [only] = process.argv.slice(2);
	if (only !== 'guide') {
		await takeWalkthroughPictures();
		await listSizes('media/walkthrough');
	}
	if (only !== 'walkthrough') {
		await takeGuidePictures();
		await listSizes('docs/pictures');
	}
}

async function takeWalkthroughPictures(): Promise<void> {
	await run('tsx', ['test/host/runMocha.ts', 'e2e', 'test/e2e/walkthrough.test.ts'], {
		cwd: repository,
	});
	const folder = join(repository, 'media/walkthrough');
	await mkdir(folder, { recursive: true });
	for (const name of await readdir(picturesFolder)) {
		await cp(join(picturesFolder, name), join(folder, name));
	}
}

async function listSizes(folder: string): Promise<void> {
	for (const name of await readdir(join(repository, folder))) {
		const { size } = await stat(join(repository, folder, name));
		say(`${folder}/${name}: ${(size / 1000).toFixed(1)} kB`);
	}
}

main().then(
	// A browser or a server that takes its time to end delays nothing.
	() => process.exit(0),
	(error: Error) => {
		say(error.message);
		process.exit(1);
	},
);
