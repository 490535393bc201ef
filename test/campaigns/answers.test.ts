import { fuzz } from './campaign';
import { fuzzAnswers } from './fuzz/answers';

suite('random answers of the service', () => {
	test('are read as JSON.parse reads them, or refused, however they are damaged and split', () =>
		fuzz('answers', fuzzAnswers, 2500));
});
