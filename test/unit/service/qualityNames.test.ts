import assert from 'node:assert/strict';
import { qualityNames } from '../../../src/service/qualityNames.js';

suite('service › quality names', () => {
	test('go from what costs least to what costs most, and say so', () => {
		assert.deepEqual(Object.entries(qualityNames), [
			['low', { label: 'Low', description: 'for previews' }],
			['unset', { label: 'Default', description: 'the service decides' }],
			['high', { label: 'High', description: 'takes longer, costs more' }],
		]);
	});
});
