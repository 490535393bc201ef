import { testSite } from './siteTests';

// It puts the path of the site before no link.
testSite('Jekyll', { unfound: /[<(" ]\/assets/ });
