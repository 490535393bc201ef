import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../src');

/** What many build on, and therefore changes seldom: the words of the house. */
const foundations: Readonly<Record<string, string>> = {
	'documents/span.ts': 'a part of a text',
	'documents/languages.ts': 'the languages that we know',
	'jobs/failure.ts': 'why there is no image',
	'documents/imageLink.ts': 'an image link, as every format writes it',
	'easelError.ts': 'the errors that are told as they are',
	'editor/commands.ts': 'our commands, typed',
	'editor/files.ts': 'the files of the workspace',
	'editor/foreignText.ts': 'the door for text of others',
	'editor/images.ts': 'the images of the workspace',
	'editor/log.ts': 'the log',
	'editor/messages.ts': 'the door for messages',
	'editor/quickInput.ts': 'the door for questions',
	'editor/settings.ts': 'our settings, typed',
	'files/patiently.ts': 'a refusal that passes',
	'files/refusal.ts': 'what a refusal means',
	'files/regularFile.ts': 'files that a workspace has placed',
	'files/writeWhole.ts': 'files that are whole or not there',
	'generation/madeImages.ts': 'the images of this workspace',
	'generation/order.ts': 'what is asked for',
	'generation/parts.ts': 'what the features share',
	'generation/questions.ts': 'the questions about an image',
	'generation/savedImage.ts': 'an image that lies in the workspace',
	'images/inspect.ts': 'what an image is',
	'jobs/gallery.ts': 'the images that were made',
	'jobs/jobFolder.ts': 'a job on disk',
	'jobs/request.ts': 'a request on disk',
	'jobs/state.ts': 'where a job stands',
	'protocol/studio.ts': 'what the studio and its page say',
	'recipes/recipe.ts': 'how an image was made',
	'service/contract.ts': 'the service’s words',
	'service/errors.ts': 'what can go wrong with the service',
	'webview/codicon.ts': 'the icons of VS Code',
	'webview/dispatch.ts': 'how an element of a page says something',
	'webview/geometry.ts': 'points and rectangles of a page',
	'webview/studio/events.ts': 'what the elements of the studio’s page ask for',
	'webview/studio/page.styles.ts': 'what the elements of the studio’s page have in common',
};

/** How many files import each, by its path below `src`. */
function importers(): Map<string, number> {
	const counts = new Map<string, number>();
	for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || !entry.name.endsWith('.ts')) {
			continue;
		}
		const file = path.join(entry.parentPath, entry.name);
		const specifiers = readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)\.js'/g);
		for (const target of new Set([...specifiers].map(([, specifier = '']) => specifier))) {
			const name = path.relative(root, path.resolve(entry.parentPath, `${target}.ts`));
			const key = name.split(path.sep).join('/');
			counts.set(key, (counts.get(key) ?? 0) + 1);
		}
	}
	return counts;
}

suite('foundations', () => {
	test('are the only files that more than twelve others import', () => {
		const many = [...importers()].filter(([, count]) => count > 12).map(([file]) => file);
		assert.deepEqual(many.sort(), Object.keys(foundations).sort());
	});
});
