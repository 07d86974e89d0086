//! Arguments about Java.

use clap::Args;
use std::path::PathBuf;

/// What the group of options is called.
const JAVA: &str = "Java";

/// How methods of Java are found and run.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct JavaArguments {
    /// A method of Java, such as com.acme.Foo.bar or 'com.acme.Foo.bar(int,long)', or a class for all of its methods; the files
    /// are then the class path (folders and jars) or sources. May be repeated. Without it, all methods of the files are
    /// meant.
    #[arg(long, value_name = "METHOD", help_heading = JAVA)]
    pub(crate) method: Vec<String>,
    /// The Java installation, or its `java`. Default: that of JAVA_HOME, or of `java` on the path.
    #[arg(long, value_name = "JAVA", help_heading = JAVA)]
    pub(crate) java: Option<PathBuf>,
    /// Folders and jars with classes that are used and not tested; may be repeated.
    #[arg(long = "class-path", value_name = "PATH", help_heading = JAVA)]
    pub(crate) class_path: Vec<PathBuf>,
    /// Folder of Java sources, for places in reports; may be repeated.
    #[arg(long = "java-source", value_name = "DIR", help_heading = JAVA)]
    pub(crate) sources: Vec<PathBuf>,
}
