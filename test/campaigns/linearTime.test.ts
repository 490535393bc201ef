import { everyCall, linearTimeTests } from '../unit/linearTime/suite.js';

suite(
	'The time that foreign text takes on the thread of the extension host, for every call',
	() => {
		linearTimeTests(everyCall);
	},
);
