const [ofTest, ofEndpoint] = ['.test.yaml', '.sql'];

/** Whether a file in the folder of endpoints contains tests. */
export function isTestFile(name: string): boolean {
  return name.endsWith(ofTest) && !name.startsWith('.');
}

/** The path of the endpoint beside a test file. */
export function endpointFileOf(testFile: string): string {
  return `${testFile.slice(0, -ofTest.length)}${ofEndpoint}`;
}

/** The path of the test file beside an endpoint. */
export function testFileOf(endpointFile: string): string {
  return `${endpointFile.slice(0, -ofEndpoint.length)}${ofTest}`;
}

/** What is wrong with the name of a file that looks like a test file and is none. Undefined for all other files. */
export function misnamedTestFile(name: string): string | undefined {
  const looksLikeTests = /\.tests?\.ya?ml$/i.test(name) && !name.endsWith(ofTest);
  return looksLikeTests ? `The names of test files end in ${ofTest}: rename this file` : undefined;
}
