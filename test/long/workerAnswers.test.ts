import { testHostileAnswers } from '../process/hostileAnswers.js';

suite('jobs › worker, with further answers that are made to hurt', () => {
	testHostileAnswers('further');
});
