import { fuzz } from './campaign';
import { fuzzJournals } from './fuzz/journals';

suite('damaged journals, leases and galleries', () => {
	test('are read or reported, and cost nothing that is whole', () =>
		fuzz('journals', fuzzJournals, 5000));
});
