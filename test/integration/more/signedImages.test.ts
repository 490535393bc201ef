import { signedImagesTests } from '../signedImages.tests.js';

signedImagesTests('more');
