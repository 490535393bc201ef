import { signedImagesTests } from './suites/signedImages.js';

signedImagesTests('core');
