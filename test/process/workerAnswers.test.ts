import { testHostileAnswers } from './hostileAnswers.js';

suite('jobs › worker, with answers that are made to hurt', () => {
	testHostileAnswers('everyday');
});
