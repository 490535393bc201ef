import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');

/** What was said in two ways, or not as the field says it, and what is said instead. */
const retired: readonly (readonly [RegExp, string])[] = [
	[/Compare Images with Easel/, 'Compare Images…'],
	[/waiting for a free place/, 'Queued'],
	[/which is charged\./, '1 paid request'],
	[/'No Image'/, 'Failed'],
	[/'Your Decision'/, 'Needs Your Decision'],
	[/under way\. Select/, 'in progress. Click to open Image Studio.'],
	[/could not go on/, 'Something went wrong'],
	[/Copy Reference/, 'Copy Image Link'],
	[/'go on'/, 'Done'],
	[/image that goes to the cursor'/, 'Select an image to insert'],
	[/Every image of \$/, 'No images are missing in'],
	[/in all, the service/, 'in total; the service may reject this'],
	[/[Pp]resent (key|address)/, 'current'],
	[/character that no key has/, 'an invalid character'],
	[/Replaced \$\{[^}]*\} by/, 'Replaced … with …'],
	[/dropped is no file/, 'That is not a file.'],
	[/[Mm]arkdown reference/, 'image link'],
	[/\*\*(Draft|Final)\*\*/, 'Low, High'],
];

suite('Words', () => {
	const files = [
		...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package.json'],
		...readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => path.join('src', file)),
	];

	test('that were given up are said nowhere: not by code, settings or documentation', () => {
		assert.ok(files.length > 100);
		for (const file of files) {
			const text = readFileSync(path.join(root, file), 'utf8');
			for (const [old, now] of retired) {
				assert.doesNotMatch(text, old, `${file}: say “${now}”`);
			}
		}
	});
});
