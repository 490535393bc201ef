import assert from 'node:assert/strict';
import { fuzzDocuments } from '../../fuzz/documents.js';

test('random documents of all formats are read without an error, and quickly', async () => {
	const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);
	const { cases, note } = await fuzzDocuments({ cases: 2000, seed });
	assert.equal(cases, 2000);
	assert.match(note, /^[1-9]\d* images/);
}).timeout(60_000);
