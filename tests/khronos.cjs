// Reads glTF files named on the command line with the Khronos validator; prints one JSON list of issues a file.
"use strict";
const fs = require("fs");
const path = require("path");
const validator = require("gltf-validator");

async function issuesOf(file) {
  const content = new Uint8Array(fs.readFileSync(file));
  const beside = (uri) => fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri)));
  const report = await validator.validateBytes(content, { maxIssues: 0, externalResourceFunction: beside });
  return report.issues.messages;
}

Promise.all(process.argv.slice(2).map(issuesOf)).then(
  (issues) => console.log(JSON.stringify(issues)),
  (problem) => { console.error(String(problem)); process.exitCode = 1; },
);
