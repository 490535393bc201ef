import { fuzz } from './campaign';
import { fuzzDocuments } from './fuzz/documents';

suite('random documents of all formats', () => {
	test('are read without an error', () => fuzz('documents', fuzzDocuments, 20_000));
});
